/** Where messages are read: in the editor, or in the terminal of a program whose token is in an environment variable. */
let variable: string | null = null;

/** Sets the variable, which messages name instead of what only the editor has: a sign-in, Activity. */
export function setTokenVariable(name: string): void {
  variable = name;
}

/** `null` in the editor. */
export function tokenVariable(): string | null {
  return variable;
}
