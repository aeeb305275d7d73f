/** Why one operation can't become a tool; the importer reports the message beside the operation's name. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}
