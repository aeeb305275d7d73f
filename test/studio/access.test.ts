import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Studio } from "../../src/studio/index.js";
import { ask, openStudio } from "./studio.js";

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio();
});
afterAll(() => studio.close());

describe("the studio answers its own page only", () => {
  it("answers with the token", async () => {
    const { status, json } = await ask(studio, "/api/studio");
    expect(status).toBe(200);
    expect(json.tools.map(({ name }: { name: string }) => name)).toEqual(["get_weather", "refund", "endless"]);
    expect(json).toMatchObject({
      agents: [{ name: "shop_agent", model: "embedded/keyword" }],
      context: { userId: "42" },
      hasStorage: false,
    });
  });

  it.each([
    ["no token", { authorization: "" }],
    ["a wrong token", { authorization: "Bearer wrong" }],
  ])("rejects a request with %s", async (_, headers) => {
    const { status, json } = await ask(studio, "/api/studio", undefined, headers);
    expect(status).toBe(401);
    expect(json.error).toBe("The token is missing or wrong. Open the address that the studio printed when it started.");
  });

  it.each([
    ["by another name, as after DNS rebinding", { host: "evil.example" }],
    ["of a page of another origin", { origin: "http://evil.example" }],
    ["of a page of another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["that a page of another site began", { "sec-fetch-site": "cross-site" }],
    ["that another server of this machine began", { "sec-fetch-site": "same-site" }],
  ])("rejects a request %s, with the token too", async (_, headers) => {
    expect((await ask(studio, "/api/studio", undefined, headers)).status).toBe(403);
  });

  it("takes localhost as a name of this machine", async () => {
    expect((await ask(studio, "/api/studio", undefined, { host: `localhost:${studio.port}` })).status).toBe(200);
  });

  it("serves a page that loads nothing from elsewhere and stands in no frame", async () => {
    const { text, headers } = await ask(studio, "/");
    expect(text).toContain('<script type="module" src="/page.js">');
    expect(text).not.toContain(studio.token);
    expect(headers["content-security-policy"]).toMatch(/default-src 'none'; script-src 'self';.*frame-ancestors 'none'/);
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("serves no other files", async () => {
    expect((await ask(studio, "/studio.ts")).status).toBe(404);
    expect((await ask(studio, "/../studio.ts")).status).toBe(404);
  });

  it.each([
    ["a body that isn't JSON", "{", "The body isn't JSON"],
    ["a body that is no object", "[]", "The body must be a JSON object."],
    ["a context that is no object", '{"arguments":{},"context":"42"}', '"context" must be a JSON object.'],
  ])("rejects %s", async (_, body, message) => {
    const { status, json } = await ask(studio, "/api/tools/get_weather/calls", body);
    expect(status).toBe(400);
    expect(json.error).toContain(message);
  });

  it("names what the API doesn't have", async () => {
    expect((await ask(studio, "/api/tools/get_wether")).json.error).toBe('There is no tool "get_wether". Did you mean "get_weather"?');
    expect((await ask(studio, "/api/nothing")).json.error).toContain("The API has no GET /api/nothing.");
    expect((await ask(studio, "/api/tools/%E0")).status).toBe(400);
  });
});

describe("startStudio", () => {
  it("doesn't start in production without being allowed to", async () => {
    await expect(openStudio({ mode: "production" })).rejects.toMatchObject({
      name: "StudioError",
      reason: "production",
      message: expect.stringContaining("Unset NODE_ENV, or pass --allow-production."),
    });
    await (await openStudio({ mode: "production", allowProduction: true })).close();
  });

  it("says that a port is taken", async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
    const { port } = other.address() as AddressInfo;
    await expect(openStudio({ port })).rejects.toMatchObject({
      reason: "port_taken",
      message: `Port ${port} is taken, perhaps by another studio. End that program, or pass another --port; 0 takes a free one.`,
    });
    other.close();
  });

  it("gives each studio a token of its own", async () => {
    const second = await openStudio();
    expect((await ask(second, "/api/studio", undefined, { authorization: `Bearer ${studio.token}` })).status).toBe(401);
    await second.close();
  });
});
