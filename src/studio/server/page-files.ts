import { readFile } from "node:fs/promises";
import { join } from "node:path";

const mediaTypes: Readonly<Record<string, string>> = {
  "page.js": "text/javascript; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
};

const document = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Toolwright Studio</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/page.css">
<script type="module" src="/page.js"></script>
</head>
<body><div id="studio"><noscript>The studio needs JavaScript.</noscript></div></body>
</html>
`;

/** The page or one of its files; `undefined` for another path. */
export async function pageFile(path: string, folder: string): Promise<Response | undefined> {
  if (path === "/") return new Response(document, { headers: { "content-type": "text/html; charset=utf-8" } });
  const name = path.slice(1);
  if (!Object.hasOwn(mediaTypes, name)) return undefined;
  return new Response(await readFile(join(folder, name)), { headers: { "content-type": mediaTypes[name] as string } });
}
