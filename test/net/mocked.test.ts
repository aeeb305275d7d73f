import { execFileSync } from "node:child_process";
import { join } from "node:path";

it("requests go through http.request and https.request of the module, where mocks stand, after the address was checked", () => {
  const output = execFileSync(
    process.execPath,
    ["--disable-warning=DEP0205", "--import", "@swc-node/register/esm-register", join(__dirname, "mocked.mjs")],
    {
      encoding: "utf8",
    },
  );

  expect(JSON.parse(output)).toEqual(["http://93.184.215.14/", "https://93.184.215.14/", expect.stringContaining("private address")]);
});
