export { type KeptStudio, startStudio, type Studio, type StudioOptions } from "./start-studio.js";
export { StudioError } from "./studio-error.js";
export type { StudioAgent, StudioSubjects, StudioTool } from "./subjects.js";
