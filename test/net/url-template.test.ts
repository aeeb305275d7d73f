import fc from "fast-check";
import { fillUrl, NetworkError } from "../../src/net/index.js";

const template = "https://api.example.com:8443/users/{id}/files/{name}.json?expand=all";

describe("fillUrl", () => {
  it("puts each value into its segment", () => {
    expect(fillUrl(template, { id: 42, name: "a b/ü" })).toBe("https://api.example.com:8443/users/42/files/a%20b%2F%C3%BC.json?expand=all");
  });

  it("never lets a value choose host, port, path or query", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "binary" }), (value) => {
        let filled: string;
        try {
          filled = fillUrl("https://api.example.com:8443/users/{id}/x?y=z", { id: value });
        } catch (error) {
          expect(error).toBeInstanceOf(NetworkError);
          return;
        }
        const url = new URL(filled);
        expect([url.origin, url.search, url.hash]).toEqual(["https://api.example.com:8443", "?y=z", ""]);
        const [, users, segment, last, ...more] = url.pathname.split("/");
        expect([users, last, more]).toEqual(["users", "x", []]);
        expect(decodeURIComponent(segment ?? "")).toBe(value.toWellFormed());
      }),
    );
  });

  it.each([".", "..", ""])("refuses %j as a whole segment", (id) => {
    expect(() => fillUrl("https://api.example.com/users/{id}/x", { id })).toThrow(NetworkError);
  });

  it("refuses dots that two values make together", () => {
    expect(() => fillUrl("https://api.example.com/{a}{b}/x", { a: ".", b: "." })).toThrow("would lead to another path");
  });

  it.each(["https://{host}/x", "{scheme}://example.com/x", "https://example.com:{port}/x", "https://example.com{path}", "/{id}"])(
    "refuses the template %s, in which a value could choose the server",
    (odd) => {
      expect(() => fillUrl(odd, { host: "a", scheme: "a", port: 1, path: "a", id: 1 })).toThrow("must be written out");
    },
  );

  it("refuses placeholders behind the path", () => {
    expect(() => fillUrl("https://example.com/x?a={id}", { id: 1 })).toThrow("in the URL's path alone");
  });

  it.each([{}, { id: null }, { id: {} }, { id: undefined }, Object.create({ id: "inherited" })])(
    "refuses a value that isn't there: %j",
    (values) => {
      expect(() => fillUrl("https://example.com/{id}", values)).toThrow("id is part of the URL's path and needs a value");
    },
  );
});
