export {};

throw new Error("the port is taken");
