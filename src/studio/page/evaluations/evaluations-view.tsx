import { useState } from "preact/hooks";
import type { AgentLine } from "../../api.js";
import { keepPrompt } from "../agents/kept-prompt.js";
import { Facts } from "../shared/facts.js";
import { messageOf } from "../shared/request.js";
import { Scrolling } from "../shared/scrolling.js";
import { Block, Fault, Visible } from "../shared/text.js";
import { type Line, readReport, type Report, type Result, shareText } from "./report.js";

/** The most cases that are drawn at once. */
const mostDrawn = 100;

export function EvaluationsView({ agents }: { readonly agents: readonly AgentLine[] }) {
  const [report, setReport] = useState<Report>();
  const [fault, setFault] = useState<string>();
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    try {
      setReport(readReport(await file.text()));
      setFault(undefined);
    } catch (error) {
      setReport(undefined);
      setFault(messageOf(error));
    }
  };
  return (
    <main id="main" class="alone" tabIndex={-1}>
      <article>
        <h2 class="plain-title">Evaluations</h2>
        <div class="field">
          <label for="report">Report</label>
          <input id="report" type="file" accept=".json,application/json" onChange={(event) => void open(event.currentTarget.files?.[0])} />
          <p class="note">
            A file that <code>toolwright eval ... --out report.json</code> wrote. It stays in this page.
          </p>
        </div>
        <Fault message={fault} />
        {report !== undefined && <ReportPage report={report} agent={agents.find(({ name }) => name === report.agent)} />}
      </article>
    </main>
  );
}

function ReportPage({
  report: { agent: name, model, summary, results },
  agent,
}: {
  readonly report: Report;
  readonly agent: AgentLine | undefined;
}) {
  const [most, setMost] = useState(mostDrawn);
  const failed = results.filter(({ passed }) => !passed);
  const facts: readonly (readonly [string, string])[] = [
    ["passed", shareText(summary.passed)],
    ...Object.entries(summary.scores).map(([score, share]) => [score, shareText(share)] as const),
    ["cases, runs", `${summary.cases}, ${summary.runs}`],
    ["tokens", `${summary.usage.inputTokens} in (${summary.usage.cachedInputTokens} cached), ${summary.usage.outputTokens} out`],
    ["latency", `median ${Math.round(summary.latency.median)} ms, 95 % ${Math.round(summary.latency.p95)} ms`],
  ];
  return (
    <>
      <section aria-label="Figures">
        <h3>
          <Visible text={model === undefined ? name : `${name} with ${model}`} />
        </h3>
        <p class="note">In brackets: the 95 % interval, in percent.</p>
        <Facts facts={facts} />
      </section>
      {summary.confusions.length > 0 && (
        <section aria-label="Other tools than expected">
          <h3>Other tools than expected</h3>
          <Scrolling class="wide" label="Other tools than expected">
            <table>
              <thead>
                <tr>
                  <th scope="col">expected</th>
                  <th scope="col">called</th>
                  <th scope="col">times</th>
                </tr>
              </thead>
              <tbody>
                {summary.confusions.map(({ expected, called, count }) => (
                  <tr key={`${expected} ${called}`}>
                    <th scope="row">
                      <Visible text={expected ?? "no call"} />
                    </th>
                    <td>
                      <Visible text={called ?? "no call"} />
                    </td>
                    <td>{count}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrolling>
        </section>
      )}
      <section aria-label="Not passed">
        <h3>Not passed: {failed.length}</h3>
        {failed.length === 0 && <p class="note">All runs passed.</p>}
        {failed.slice(0, most).map((result) => (
          <Case key={`${result.id} ${result.repetition}`} result={result} agent={agent} />
        ))}
        {failed.length > most && (
          <button type="button" onClick={() => setMost(most + mostDrawn)}>
            Show more
          </button>
        )}
      </section>
    </>
  );
}

function Case({ result, agent }: { readonly result: Result; readonly agent: AgentLine | undefined }) {
  const { id, repetition, error, faults, outcome, conversation = [] } = result;
  const prompt = conversation.findLast(({ role }) => role === "user")?.text;
  return (
    <details class="case">
      <summary>
        <b>
          <Visible text={id} />
        </b>
        {repetition > 1 && ` (repetition ${repetition})`} <Visible text={error ?? faults[0] ?? ""} />
      </summary>
      {error === undefined && faults.length > 1 && (
        <ul class="faults">
          {faults.slice(1).map((fault) => (
            <li class="fault" key={fault}>
              <Visible text={fault} />
            </li>
          ))}
        </ul>
      )}
      {outcome !== undefined && <p class="note">The run ended with {outcome}.</p>}
      <ol class="transcript">
        {conversation.map((line, index) => (
          <li key={index} class={line.role}>
            <LineView line={line} />
          </li>
        ))}
      </ol>
      {agent !== undefined && prompt !== undefined && (
        <p class="buttons">
          <a href={`#/agents/${encodeURIComponent(agent.id)}`} onClick={() => keepPrompt(prompt)}>
            Open the prompt in a chat
          </a>
        </p>
      )}
    </details>
  );
}

const LineView = ({ line: { role, text, calls = [] } }: { readonly line: Line }) => (
  <>
    <span class="by">{role}</span>
    {text !== "" &&
      (role === "tool" ? (
        <Block text={text} label="Result" />
      ) : (
        <div class="said">
          <Visible text={text} />
        </div>
      ))}
    {calls.map((call, index) => (
      <Block key={index} text={`${call.tool} ${call.arguments}`} label={`Call of ${call.tool}`} />
    ))}
  </>
);
