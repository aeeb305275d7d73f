// An application that has typed its bag. The package's users write "toolwright" here.
declare module "../../../src/tool/tool-context.js" {
  interface ToolContext {
    user?: { readonly id: string };
    scopes?: readonly ("read" | "write")[];
  }
}

export {};
