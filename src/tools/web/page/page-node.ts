/** What the reader needs of a node of the parser's tree. */
export interface PageNode {
  readonly type: string;
  readonly name?: string;
  readonly data?: string;
  readonly attribs?: Readonly<Record<string, string>>;
  readonly children?: readonly PageNode[];
  readonly parent?: PageNode | null;
  readonly prev?: PageNode | null;
  readonly next?: PageNode | null;
}

/** An element of a page. Scripts and styles have types of their own. */
export interface PageElement extends PageNode {
  readonly name: string;
  readonly attribs: Readonly<Record<string, string>>;
}

export const isElement = (node: PageNode | null | undefined): node is PageElement => node?.attribs !== undefined && node.name !== undefined;
