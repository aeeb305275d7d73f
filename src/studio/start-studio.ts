import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { randomBytes } from "node:crypto";
import { toNodeHandler } from "../web/index.js";
import { StudioError } from "./studio-error.js";
import type { KeptChat } from "./agents/kept-chat.js";
import { studioHandler } from "./server/studio-handler.js";
import type { StudioSubjects } from "./subjects.js";

/** Options of `startStudio`. */
export interface StudioOptions extends StudioSubjects {
  /** The folder of the built page. */
  readonly page: string;
  /** The port of this machine. Default: 4650, or a free one if it is taken. */
  readonly port?: number;
  /** `NODE_ENV` of the process. */
  readonly mode?: string | undefined;
  /** Starts also if `mode` is `production`. */
  readonly allowProduction?: boolean;
  /** What the studio left whose place this one takes. */
  readonly kept?: KeptStudio;
  /** Puts another studio in the place of this one. Absent: the page can't ask for it. */
  readonly restart?: () => void;
}

/** What a studio leaves to the one that takes its place: the address, so that the page goes on, and the chats. Plain JSON. */
export interface KeptStudio {
  readonly port: number;
  readonly token: string;
  readonly chats: readonly KeptChat[];
}

/** A studio that listens. */
export interface Studio {
  /** The address to open: it holds the token. */
  readonly url: string;
  readonly token: string;
  readonly port: number;
  /** Whether the usual port was taken. */
  readonly hasOtherPort: boolean;
  /** What the next studio needs. To be asked before `close`. */
  keep(): Promise<KeptStudio>;
  close(): Promise<void>;
}

const usualPort = 4650;
const host = "127.0.0.1";

/** Serves the studio on this machine alone. Throws `StudioError` if the port is taken, and in production. See docs/31-studio.md. */
export async function startStudio(options: StudioOptions): Promise<Studio> {
  const { mode, allowProduction = false, port, page, kept, restart, ...subjects } = options;
  if (mode === "production" && !allowProduction) {
    throw new StudioError(
      "production",
      "The studio doesn't start with NODE_ENV=production: its page calls tools as any user. Unset NODE_ENV, or pass --allow-production.",
    );
  }
  const token = kept?.token ?? randomBytes(24).toString("base64url");
  const { handle, keep, close } = studioHandler(subjects, { token, page, chats: kept?.chats, restart });
  const answer = toNodeHandler(handle);
  const server = createServer((request, response) => void answer(request, response));
  const hasOtherPort = await listenSomewhere(server, kept?.port ?? port);
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${taken}/#token=${token}`,
    token,
    port: taken,
    hasOtherPort,
    keep: async () => ({ port: taken, token, chats: await keep() }),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await close();
    },
  };
}

/** Returns whether the usual port was taken. */
async function listenSomewhere(server: Server, port: number | undefined): Promise<boolean> {
  if (await listen(server, port ?? usualPort)) return false;
  if (port !== undefined) {
    throw new StudioError(
      "port_taken",
      `Port ${port} is taken, perhaps by another studio. End that program, or pass another --port; 0 takes a free one.`,
    );
  }
  await listen(server, 0);
  return true;
}

/** False if the port is taken. */
function listen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => (error.code === "EADDRINUSE" ? resolve(false) : reject(error));
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve(true);
    });
  });
}
