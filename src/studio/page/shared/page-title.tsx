import { Visible } from "./text.js";

interface PageTitleProps {
  readonly title: string;
  /** The address of the list that the page's subject is in, and the words of the link to it. */
  readonly list: string;
  readonly back: string;
}

/** The name of what a page shows, and the way back to its list in a narrow window. */
export const PageTitle = ({ title, list, back }: PageTitleProps) => (
  <>
    <a class="back" href={list}>
      {back}
    </a>
    <h2>
      <Visible text={title} />
    </h2>
  </>
);
