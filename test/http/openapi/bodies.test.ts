import type { SeenRequest } from "../support.js";
import { documentOf, type Json, loopback, namesOf, oldDocumentOf, reasonOf, schemaOf } from "./support.js";

const { requestOf } = loopback();

const post = (type: string, schema: Json, rest: Json = {}): Json =>
  documentOf({ "/a": { post: { operationId: "send", requestBody: { required: true, content: { [type]: { schema, ...rest } } } } } });

/** A multipart body as a server reads it. */
const formOf = async ({ headers, body }: SeenRequest): Promise<FormData> =>
  new Response(body, { headers: { "content-type": headers["content-type"] as string } }).formData();

const person = { type: "object", properties: { name: { type: "string" }, age: { type: "integer" } }, required: ["name"] };

describe("a body in JSON", () => {
  it("has its properties as arguments if it is a plain object", async () => {
    const { body, headers } = await requestOf(post("application/json", person), { name: "Ada", age: 36 });
    expect(JSON.parse(body)).toEqual({ name: "Ada", age: 36 });
    expect(headers["content-type"]).toBe("application/json");
  });

  it("keeps a type of its own", async () => {
    const { headers } = await requestOf(post("application/merge-patch+json", person), { name: "Ada" });
    expect(headers["content-type"]).toBe("application/merge-patch+json");
  });

  it.each<[string, Json, unknown]>([
    ["a list", { type: "array", items: { type: "integer" } }, [1, 2]],
    ["one of several", { oneOf: [person, { type: "string" }] }, "Ada"],
    ["a map", { type: "object", additionalProperties: { type: "integer" } }, { apples: 3 }],
    ["an object that takes more than it lists", { ...person, additionalProperties: true }, { name: "Ada", born: 1815 }],
    ["an object in parts", { allOf: [person, { properties: { city: { type: "string" } } }] }, { name: "Ada", city: "London" }],
    ["an object with rules among its properties", { ...person, minProperties: 1 }, { name: "Ada" }],
  ])("that is %s is the argument body", async (_, schema, value) => {
    const { body } = await requestOf(post("application/json", schema), { body: value });
    expect(JSON.parse(body)).toEqual(value);
  });

  it("is the argument body if a property and a parameter share a name", async () => {
    const document = documentOf({
      "/people/{name}": {
        put: {
          operationId: "put",
          parameters: [{ name: "name", in: "path", required: true, schema: { type: "string" } }],
          requestBody: { required: true, content: { "application/json": { schema: person } } },
        },
      },
    });
    const { url, body } = await requestOf(document, { name: "ada", body: { name: "Ada" } });
    expect([url, JSON.parse(body)]).toEqual(["/people/ada", { name: "Ada" }]);
  });

  it("that is optional is sent if any of it was given", async () => {
    const content = { "application/json": { schema: { type: "object", properties: { name: { type: "string" } } } } };
    const document = documentOf({ "/a": { patch: { operationId: "patch", requestBody: { content } } } });
    const empty = await requestOf(document, {});
    expect([empty.body, empty.headers["content-type"]]).toEqual(["", undefined]);
    expect((await requestOf(document, { name: "Ada" })).body).toBe('{"name":"Ada"}');
  });

  it("that is optional, with properties that aren't, is all there or not at all", async () => {
    const document = documentOf({
      "/a": { post: { operationId: "send", requestBody: { content: { "application/json": { schema: person } } } } },
    });
    expect((await requestOf(document, {})).body).toBe("");
    expect((await requestOf(document, { body: { name: "Ada" } })).body).toBe('{"name":"Ada"}');
  });

  it("has no defaults of the document's: a PATCH would overwrite what no one meant to change", async () => {
    const content = {
      "application/json": { schema: { type: "object", properties: { state: { type: "string", default: "open" }, title: {} } } },
    };
    const document = documentOf({ "/a": { patch: { operationId: "patch", requestBody: { required: true, content } } } });
    expect(schemaOf(document).properties?.state).toEqual({ type: "string", description: 'Default: "open".' });
    expect((await requestOf(document, { title: "New" })).body).toBe('{"title":"New"}');
  });

  it("is chosen if a document offers several kinds", async () => {
    const content = { "multipart/form-data": { schema: person }, "application/json": { schema: person } };
    const document = documentOf({ "/a": { post: { operationId: "send", requestBody: { required: true, content } } } });
    expect((await requestOf(document, { name: "Ada" })).body).toBe('{"name":"Ada"}');
  });
});

describe('OpenAPI 3, "Encoding Object": a form', () => {
  const form = async (properties: Json, encoding: Json, values: Json): Promise<SeenRequest> =>
    requestOf(post("application/x-www-form-urlencoded", { type: "object", properties }, { encoding }), values);

  it("is written field by field", async () => {
    const { body, headers } = await form({ criteria: { type: "string" }, rows: { type: "integer" } }, {}, { criteria: "a&b=c d", rows: 2 });
    expect(body).toBe("criteria=a%26b%3Dc%20d&rows=2");
    expect(headers["content-type"]).toBe("application/x-www-form-urlencoded");
  });

  it("repeats the field of a list, and has objects as JSON", async () => {
    const { body } = await form({ tag: { type: "array" }, place: { type: "object" } }, {}, { tag: ["a", "b"], place: { x: 1 } });
    expect(body).toBe("tag=a&tag=b&place=%7B%22x%22%3A1%7D");
  });

  it("follows the style that the document gives a field", async () => {
    const encoding = { metadata: { style: "deepObject", explode: true }, tag: { explode: false } };
    const { body } = await form({ metadata: { type: "object" }, tag: { type: "array" } }, encoding, {
      metadata: { order: 7 },
      tag: ["a", "b"],
    });
    expect(body).toBe("metadata%5Border%5D=7&tag=a,b");
  });
});

describe("a multipart body", () => {
  const upload = {
    type: "object",
    properties: {
      file: { type: "string", format: "binary", description: "The photo." },
      title: { type: "string" },
      tags: { type: "array", items: { type: "string" } },
      place: { type: "object", properties: { city: { type: "string" } } },
    },
    required: ["file"],
  };

  it("carries text files, bytes as base64, fields, lists and objects", async () => {
    const request = await requestOf(post("multipart/form-data", upload), {
      file: { name: "rose.bin", content: Buffer.from([0, 1, 2]).toString("base64"), encoding: "base64" },
      title: "A rose",
      tags: ["red", "tall"],
      place: { city: "Paris" },
    });
    const form = await formOf(request);
    const file = form.get("file") as File;
    expect([file.name, [...new Uint8Array(await file.arrayBuffer())]]).toEqual(["rose.bin", [0, 1, 2]]);
    expect([form.get("title"), form.getAll("tags"), form.get("place")]).toEqual(["A rose", ["red", "tall"], '{"city":"Paris"}']);
    expect(request.body).toContain('name="place"\r\ncontent-type: application/json\r\n');
  });

  it("describes a file to the model by name, content and encoding", () => {
    expect(schemaOf(post("multipart/form-data", upload)).properties?.file).toMatchObject({
      description: "The photo.",
      properties: { name: { type: "string" }, content: { type: "string" }, encoding: { enum: ["text", "base64"] } },
      required: ["content"],
    });
  });

  it("can't be broken by what a model writes", async () => {
    const request = await requestOf(post("multipart/form-data", upload), {
      file: { name: 'a"\r\nx: y.txt', content: "--toolwright\r\n\r\nend" },
      title: '--\r\ncontent-disposition: form-data; name="admin"\r\n\r\ntrue',
    });
    const form = await formOf(request);
    expect([...form.keys()].sort()).toEqual(["file", "title"]);
  });

  it("refuses broken base64 with what to do", async () => {
    const call = requestOf(post("multipart/form-data", upload), { file: { content: "no base64!", encoding: "base64" } });
    await expect(call).rejects.toThrow("file: its content isn't base64. Encode the file's bytes, or leave encoding out for text.");
  });

  it("takes a list of files", async () => {
    const files = { type: "object", properties: { files: { type: "array", items: { type: "string", format: "binary" } } } };
    const request = await requestOf(post("multipart/form-data", files), {
      files: [
        { name: "a.txt", content: "a" },
        { name: "b.txt", content: "b" },
      ],
    });
    expect((await formOf(request)).getAll("files").map((file) => (file as File).name)).toEqual(["a.txt", "b.txt"]);
  });

  it("in version 3.1 knows a file by its media type", async () => {
    const schema = { type: "object", properties: { photo: { contentMediaType: "image/png" } } };
    const request = await requestOf(post("multipart/form-data", schema, { encoding: { photo: { contentType: "image/png" } } }), {
      photo: { name: "rose.png", content: "png" },
    });
    expect(((await formOf(request)).get("photo") as File).type).toBe("image/png");
  });
});

describe("a body that is text or a file", () => {
  it("is sent as it is, in UTF-8", async () => {
    const { body, headers } = await requestOf(post("text/plain", { type: "string" }), { body: "Grüße" });
    expect([body, headers["content-type"]]).toEqual(["Grüße", "text/plain; charset=utf-8"]);
  });

  it("is described as a file if it is bytes", async () => {
    const { body, headers } = await requestOf(post("application/octet-stream", { type: "string", format: "binary" }), {
      body: { content: "YWJj", encoding: "base64" },
    });
    expect([body, headers["content-type"]]).toEqual(["abc", "application/octet-stream"]);
  });
});

describe("OpenAPI 2.0: a body", () => {
  const send = (parameters: readonly Json[], rest: Json = {}): Json =>
    oldDocumentOf({ "/a": { post: { operationId: "send", parameters, ...rest } } });

  it("is JSON if nothing is said", async () => {
    const { body } = await requestOf(send([{ name: "person", in: "body", required: true, schema: person }]), { name: "Ada" });
    expect(body).toBe('{"name":"Ada"}');
  });

  it("of fields is a form", async () => {
    const fields = [
      { name: "name", in: "formData", type: "string", required: true },
      { name: "tags", in: "formData", type: "array", items: { type: "string" }, collectionFormat: "multi" },
    ];
    expect((await requestOf(send(fields), { name: "Ada", tags: ["a", "b"] })).body).toBe("name=Ada&tags=a&tags=b");
  });

  it("with a file is multipart", async () => {
    const request = await requestOf(send([{ name: "photo", in: "formData", type: "file", required: true }]), {
      photo: { name: "rose.txt", content: "rose" },
    });
    expect(await ((await formOf(request)).get("photo") as File).text()).toBe("rose");
  });
});

describe("a body that can't be sent", () => {
  it("refuses its operation, and says what can be", () => {
    expect(reasonOf(post("application/xml", person))).toContain(
      "its body is application/xml; JSON, forms, multipart/form-data, text and files",
    );
  });

  it("is left out of a GET, which has none", async () => {
    const content = { "application/json": { schema: person } };
    const document = documentOf({ "/a": { get: { operationId: "ask", requestBody: { content } } } });
    expect(namesOf(schemaOf(document))).toEqual([]);
    expect(reasonOf(documentOf({ "/a": { get: { requestBody: { required: true, content } } } }))).toContain("it sends a body with GET");
  });

  it("refuses a form whose fields aren't known", () => {
    expect(reasonOf(post("multipart/form-data", { oneOf: [person] }))).toContain("doesn't list its properties");
  });
});
