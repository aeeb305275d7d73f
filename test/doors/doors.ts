import type { Door } from "./door.js";
import { aiSdkDoor, langChainDoor, openAiAgentsDoor } from "./framework-doors.js";
import { mcpDoor } from "./mcp-door.js";
import { nestDoor } from "./nest-door.js";
import { agentDoor, providerDoor, registryDoor } from "./own-doors.js";

export const doors: readonly Door[] = [
  agentDoor,
  nestDoor,
  registryDoor,
  providerDoor,
  mcpDoor,
  aiSdkDoor,
  langChainDoor,
  openAiAgentsDoor,
];
