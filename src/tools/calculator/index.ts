export { CalculatorTool } from "./calculator-tool.js";
