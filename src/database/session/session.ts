/** Whether and how somebody is signed in to a project: a value, which is replaced as a whole. */

/** The session of a project; immutable. */
export type Session =
  /** The project is being opened. */
  | { readonly kind: "unknown"; readonly isTokenStored: boolean }
  | { readonly kind: "untrusted" }
  | { readonly kind: "signed-out" }
  | {
      readonly kind: "signed-in";
      readonly baseUrl: string;
      readonly slug: string;
      readonly name: string;
      readonly canWrite: boolean;
    }
  /** The stored token was refused: `401`, or `403` on a read (§ Authentication 5, 6). */
  | { readonly kind: "refused"; readonly baseUrl: string; readonly reason: "unauthorized" | "archived" };

/** `reason` of an ApiError `unauthorized` when nothing was sent because the session had ended. */
export const SESSION_ENDED = "session_ended";

/**
 * Returns whether requests are allowed: signed in, or the project is archived, whose token "works again after the
 * project is restored" (§ Authentication 6).
 */
export function canQueryService(session: Session): boolean {
  return session.kind === "signed-in" || (session.kind === "refused" && session.reason === "archived");
}
