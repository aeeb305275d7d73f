// What other rooms build on, and no application needs.
export { saysNothing, promptFault } from "./check-content.js";
export { ConversationSaves } from "./conversation-saves.js";
export { type ConversationSource, setSource, sourceOf } from "./conversation-source.js";
export { leaseOfConversation, nextLook, standInLine } from "./conversation-turns.js";
export { Conversation } from "./conversation.js";
export { limitNames } from "./history-limits.js";
export { pairHistory } from "./pair-history.js";
export { WholeCharacters, wellFormedAnswer } from "./well-formed-messages.js";
export { HistoryWindow } from "./history-window.js";
