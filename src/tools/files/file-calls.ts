import { close, fstat, lstat, open, read, readdir, readlink, realpath } from "node:fs";
import { promisify } from "node:util";

/**
 * Node's functions for files as promises. Those of `fs/promises` make a table of statistics for each request, with which a small file
 * takes a fifth longer to read. An open file is a number here, which its opener must close.
 */
export const fileCalls = {
  close: promisify(close),
  fstat: promisify(fstat),
  lstat: promisify(lstat),
  open: promisify(open),
  read: promisify(read),
  readdir: promisify(readdir),
  readlink: promisify(readlink),
  realpath: promisify(realpath.native),
};
