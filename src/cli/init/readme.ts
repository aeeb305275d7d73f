import type { Choices } from "./choices.js";

const ask = `
While it runs, ask it in another terminal:

\`\`\`sh
curl http://localhost:3000/chat -H 'content-type: application/json' -d '{"prompt": "When is the shop in \\"Main Street\\" open?"}'
\`\`\`
`;

export function readme(name: string, { template }: Choices): string {
  const start = template === "plain" ? 'asks the agent once; `npm start -- "..."` asks something else' : "serves POST /chat on port 3000";
  return `# ${name}

\`\`\`sh
npm install
npm start
npm test
\`\`\`
${template === "plain" ? "" : ask}
| command | what it does |
| --- | --- |
| \`npm start\` | ${start} |
| \`npm test\` | compiles and tests |
${template === "nest" ? "" : "| `npm run chat` | a conversation in the terminal |\n"}| \`npm run check\` | checks what models read of the tools |
| \`npx toolwright list\` | lists tools and agents |
${template === "nest" ? "" : '| `npx toolwright call opening_hours --street "Main Street"` | calls the tool |\n'}
| file | what it holds |
| --- | --- |
| src/tools.ts | the tool: parameters, description, code |
| src/agent.ts | the agent: model, instructions, tools |
| src/main.ts | what \`npm start\` runs |
| src/shop.test.ts | the tests |`;
}
