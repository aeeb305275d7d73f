/** The name of the tool by which the model of an agent finds deferred tools. */
export const searchToolName = "search_tools";
