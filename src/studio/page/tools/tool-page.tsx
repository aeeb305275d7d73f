import { useState } from "preact/hooks";
import type { Finding, ProviderForm, ToolDetail } from "../../api.js";
import type { ContextState } from "../shared/context-state.js";
import { Facts } from "../shared/facts.js";
import { PageTitle } from "../shared/page-title.js";
import { Value, Visible } from "../shared/text.js";
import { CallPanel } from "./call-panel.js";

const approvals = {
  true: "required",
  false: "not required",
  by_arguments: "depends on the arguments",
  answered: "a person answers the call",
};

export function ToolPage({ tool, context }: { readonly tool: ToolDetail; readonly context: ContextState }) {
  const { name, description, module, from, tags, category, approval, facts, advice } = tool;
  const shown: readonly (readonly [string, string])[] = [
    ["module", from === undefined ? module : `${module}, ${from}`],
    ["category", category],
    ["approval", approvals[`${approval}`]],
    ...facts,
    ...(tags.length === 0 ? [] : [["tags", tags.join(", ")] as const]),
  ];
  return (
    <article>
      <PageTitle title={name} list="#/tools" back="All tools" />
      <p class="description">
        <Visible text={description} />
      </p>
      <Facts facts={shown} />
      <Advice findings={advice} />
      <CallPanel tool={tool} context={context} />
      <Schemas tool={tool} />
    </article>
  );
}

function Advice({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <section aria-label="Findings">
      <h3>Findings of check</h3>
      <ul class="findings">
        {findings.map(({ severity, rule, parameter, message, fix }) => (
          <li key={rule + (parameter ?? "") + message}>
            <b class={severity}>{severity}</b> <code>{rule}</code>
            <p>
              <Visible text={message} />
            </p>
            <p class="note">
              <Visible text={fix} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The tool's own schema, and the form that each provider gets. */
function Schemas({ tool }: { readonly tool: ToolDetail }) {
  const [provider, setProvider] = useState("");
  const form = tool.providers.find((one) => one.provider === provider);
  return (
    <section aria-label="Schemas">
      <h3>Schema</h3>
      <div class="field inline">
        <label for="provider">Form</label>
        <select id="provider" value={provider} onChange={(event) => setProvider(event.currentTarget.value)}>
          <option value="">JSON Schema of the tool</option>
          {tool.providers.map(({ provider: name, refused }) => (
            <option key={name} value={name}>
              {refused === undefined ? name : `${name} (can't be sent)`}
            </option>
          ))}
        </select>
      </div>
      {form === undefined ? (
        <>
          <Value value={tool.parameters} label="Schema of the parameters" />
          {tool.output !== undefined && (
            <>
              <h4>Result</h4>
              <Value value={tool.output} label="Schema of the result" />
            </>
          )}
        </>
      ) : (
        <Form form={form} />
      )}
    </section>
  );
}

function Form({ form: { provider, tool, refused, moved } }: { readonly form: ProviderForm }) {
  if (refused !== undefined) {
    return (
      <p class="fault">
        <Visible text={`It can't be sent to ${provider}: ${refused}`} />
      </p>
    );
  }
  return (
    <>
      {moved.length > 0 && (
        <p class="warning">
          {provider} doesn't read {moved.join(", ")}: what they say stands in descriptions. Calls are still validated by them.
        </p>
      )}
      <Value value={tool} label={`Tool as ${provider} gets it`} />
    </>
  );
}
