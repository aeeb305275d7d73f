export const hrefOfReplay = (runId: string, step: number): string => `#/runs/${encodeURIComponent(runId)}/replay/${step}`;
