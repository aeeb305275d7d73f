/** What error messages call an agent class. */
export const classNameOf = (agentClass: { readonly name: string }): string => agentClass.name || "An anonymous agent class";
