import { decodeBase64, decodeBase64Url, encodeBase64, encodeBase64Url } from "./base64";
import { type Checked, fields, isJsonObject, maybe, number, only, text } from "./guards";
import { type Result, fail, ok } from "./result";

/** How to sign in (docs/protocol.md §9). */
export type Credentials = { kind: "basic"; user: string; password: string } | { kind: "token"; token: string };

/** Which part of typed credentials is invalid, and why. */
export type CredentialsError = { kind: "user" | "password" | "token"; problem: "empty" | "bad-character" };

/**
 * Checks credentials before they are tried, because failed sign-ins are rationed. User names follow docs/protocol.md
 * §9; tokens may be anything that fits into a header, since servers make them differently.
 */
export function checkCredentials(credentials: Credentials): Result<Credentials, CredentialsError> {
  if (credentials.kind === "token") {
    if (credentials.token === "") return fail({ kind: "token", problem: "empty" });
    return /^[A-Za-z0-9._~+/-]+=*$/.test(credentials.token)
      ? ok(credentials)
      : fail({ kind: "token", problem: "bad-character" });
  }
  if (credentials.user === "") return fail({ kind: "user", problem: "empty" });
  if (!/^[-_.+@a-zA-Z0-9]+$/.test(credentials.user)) return fail({ kind: "user", problem: "bad-character" });
  return credentials.password === "" ? fail({ kind: "password", problem: "empty" }) : ok(credentials);
}

/** Credentials in data from elsewhere; undefined if there are no valid ones. */
export function credentialsIn(value: unknown): Credentials | undefined {
  const { kind, user, password, token } = isJsonObject(value) ? value : {};
  const isBasic = kind === "basic" && typeof user === "string" && typeof password === "string";
  const found: Credentials | undefined =
    kind === "token" && typeof token === "string" ? { kind, token } : isBasic ? { kind, user, password } : undefined;
  return found && checkCredentials(found).ok ? found : undefined;
}

const isIssued = fields({ user: text, issued: only(1), expires: maybe(number) });

/** What goes along with a token that a server issued to the app; undefined if it didn't. */
export function issuedIn(value: unknown): Checked<typeof isIssued> | undefined {
  if (!isIssued(value)) return undefined;
  const { user, issued, expires } = value;
  return { user, issued, ...(expires !== undefined && { expires }) };
}

/** Whether both are the same user by the same secret. */
export function isSameSignIn(one: Credentials, other: Credentials): boolean {
  return authorizationHeader(one) === authorizationHeader(other);
}

/** Value of the `Authorization` header (docs/protocol.md §9). */
export function authorizationHeader(credentials: Credentials): string {
  return credentials.kind === "token"
    ? `Bearer ${credentials.token}`
    : `Basic ${encodeBase64(`${credentials.user}:${credentials.password}`)}`;
}

/** Value of the `auth` query parameter (docs/protocol.md §9). The URL is then a secret: never log, show or store it. */
export function authParameter(credentials: Credentials): string {
  return encodeBase64Url(authorizationHeader(credentials));
}

/** The header value in an `auth` parameter; `undefined` = malformed, as with padding (docs/protocol.md §9). */
export function decodeAuthParameter(text: string): string | undefined {
  const bytes = decodeBase64Url(text);
  return bytes && new TextDecoder().decode(bytes);
}

/**
 * Reads an `Authorization` value as a server does (docs/protocol.md §9). Other schemes count as `anonymous`; a `Basic`
 * without colon and a `bearer` not spelled `Bearer` are `malformed` (401). With an empty user name the password is a
 * token.
 */
export function decodeAuthorization(value: string): Credentials | "anonymous" | "malformed" {
  const header = value.trim();
  if (header.startsWith("Bearer ")) return { kind: "token", token: header.slice(7).trim() };
  if (/^bearer /i.test(header)) return "malformed";
  if (!/^basic /i.test(header)) return "anonymous";
  const bytes = decodeBase64(header.slice(6).trim());
  const [, user, password] = /^([^:]*):(.*)$/s.exec(bytes ? new TextDecoder().decode(bytes) : "") ?? [];
  if (user === undefined || password === undefined) return "malformed";
  return user === "" ? { kind: "token", token: password } : { kind: "basic", user, password };
}
