export { AskUserTool } from "./ask-user-tool.js";
