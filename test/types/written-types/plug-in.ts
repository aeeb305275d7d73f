// An application that uses the plug-in. The package's users write "toolwright" here.
import "../../../src/index.js";

declare module "../../../src/index.js" {
  interface TypesLeftOut {
    areWritten: true;
  }
}
