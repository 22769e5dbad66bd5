/** Why a request waits, for those who show it: `until` is in milliseconds since the epoch. */
export type Wait =
  | { readonly kind: "rate-limit"; readonly until: number }
  | { readonly kind: "busy"; readonly reason: string | null; readonly until: number };

/** Called when a request starts to wait, when the wait's end changes, and with `null` when it continues. */
export type OnWait = (wait: Wait | null) => void;
