/** Splitting of long messages between the page and the extension host, so that no message exceeds 200 KB. */
import * as v from "valibot";

/** Characters per message, of up to three bytes each. */
const MESSAGE_LENGTH = 60_000;

/** A part of the JSON of a message. */
const PartSchema = v.object({
  type: v.literal("part"),
  json: v.string(),
  isFirst: v.boolean(),
  isLast: v.boolean(),
});
export type Part = v.InferOutput<typeof PartSchema>;

/** Returns the message or, if it is long, its parts. */
export function partsOf<Message>(message: Message): readonly (Message | Part)[] {
  const json = JSON.stringify(message);
  if (json.length <= MESSAGE_LENGTH) return [message];
  const count = Math.ceil(json.length / MESSAGE_LENGTH);
  return Array.from({ length: count }, (_, index) => ({
    type: "part",
    json: json.slice(index * MESSAGE_LENGTH, (index + 1) * MESSAGE_LENGTH),
    isFirst: index === 0,
    isLast: index === count - 1,
  }));
}

/** Returns a function that calls `receive` with every complete message, before it is validated. */
export function joinParts(receive: (message: unknown) => void): (received: unknown) => void {
  let json = "";
  return (received) => {
    const part = v.safeParse(PartSchema, received);
    if (!part.success) return receive(received);
    // A page that was closed may have left a message incomplete.
    json = (part.output.isFirst ? "" : json) + part.output.json;
    if (!part.output.isLast) return undefined;
    const whole = v.safeParse(JsonSchema, json);
    json = "";
    return receive(whole.output);
  };
}

const JsonSchema = v.pipe(v.string(), v.parseJson());
