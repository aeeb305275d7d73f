process.stderr.write("It begins.\n");
setInterval(() => undefined, 1_000);
await new Promise(() => undefined);
export {};
