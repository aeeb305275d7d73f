export { startStudio, type Studio, type StudioOptions } from "./start-studio.js";
export { StudioError } from "./studio-error.js";
export type { StudioAgent, StudioFinding, StudioSubjects, StudioTool } from "./subjects.js";
