import { application, workflow } from "./dbos-names.js";
import type { DbosClient } from "./load-dbos.js";

export type SegmentQuery = NonNullable<Parameters<DbosClient["listWorkflows"]>[0]>;

/** The workflows of segments, without what they were given and returned. */
export const listSegments = (client: DbosClient, query: SegmentQuery): ReturnType<DbosClient["listWorkflows"]> =>
  client.listWorkflows({ ...query, workflowName: workflow, applicationName: application, loadInput: false, loadOutput: false });
