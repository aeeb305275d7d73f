/** The absolute path of the folder with real tools, calls and hostile inputs. */
export declare const dataFolder: string;
/** Whether it is `test/data/`, the subset that every clone has. */
export declare const isSubset: boolean;
