export const StatusMark = ({ status }: { readonly status: string }) => (
  <span class={`mark ${status === "waiting" ? "wait" : status === "running" ? "good" : ""}`}>{status}</span>
);
