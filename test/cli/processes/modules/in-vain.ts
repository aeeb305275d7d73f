await new Promise(() => undefined);
export {};
