import type { ComponentChildren } from "preact";

interface ScrollingProps {
  readonly label: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** A region that may scroll. */
export const Scrolling = ({ label, class: name, children }: ScrollingProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard (WCAG 2.1.1)
  <section class={name} tabIndex={0} aria-label={label}>
    {children}
  </section>
);
