import { Visible } from "./text.js";

/** Short values by their names. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [name: string, value: string])[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>
          <Visible text={name} />
        </dt>
        <dd>
          <Visible text={value} />
        </dd>
      </div>
    ))}
  </dl>
);
