/**
 * A part of a run that one worker carries on, until the run ends, waits for a person, or leaves the worker. Its id is made of all members
 * but the key: a segment that is handed out twice is carried on once.
 */
export interface Segment {
  readonly runId: string;
  /** How many entries the journal had when the segment was handed out. */
  readonly position: number;
  /** Which segment it is at this position, from 0. */
  readonly attempt: number;
  /** Segments with the same key share a limit. Those of a run without a key have the run's id. */
  readonly key: string;
}

/** What a worker gives the engine. */
export interface EngineWork {
  /** Unique among the workers that live. */
  readonly executorId: string;
  readonly version: string;
  /** Segments at once in this worker. */
  readonly concurrency: number;
  /** Carries on a segment. Never rejects. */
  readonly carry: (segment: Segment) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** What a runtime needs of a durable engine: queues that hand out segments of runs. The journal of a run says what is in them. */
export interface RunEngine {
  /** Returns once a crash can't undo it. `delay`: milliseconds before a worker may begin. Default: 0. */
  dispatch(segment: Segment, delay?: number): Promise<void>;
  /** How many segments of a key are handed out or under way, counted up to `most`. */
  countOf(key: string, most: number): Promise<number>;
  /** How many segments have begun in the last `period` milliseconds, or wait to begin, counted up to `most`. */
  countBegun(period: number, most: number): Promise<number>;
  /** Begins to carry on segments in this process. */
  work(work: EngineWork): Promise<EngineWorker>;
  close(): Promise<void>;
}

/** A process that carries on segments, and keeps the engine in order. */
export interface EngineWorker {
  /** Withdraws the segments that a worker has and doesn't carry on any more, and returns them. */
  withdrawAbandoned(isAbandoned: (executorId: string, segment: Segment) => Promise<boolean>): Promise<readonly Segment[]>;
  /** Whether a segment of the run is handed out or under way, other than the given one. */
  hasSegment(runId: string, other?: Segment): Promise<boolean>;
  /** Forgets segments that ended long ago. */
  forgetEnded(): Promise<void>;
  /** The version whose workers get new segments. */
  latestVersion(): Promise<string>;
  /** Lets new segments go to this worker's version. */
  becomeLatest(): Promise<void>;
  /** Takes no more segments, and waits for those under way, at most for so many milliseconds. */
  stop(milliseconds: number): Promise<void>;
}
