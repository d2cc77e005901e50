/**
 * What the app's code may do (docs/design.md §3), sent with the page and with every script, as a worker goes by the
 * policy of its own answer. `connect-src` is open because users name the servers; images and media load from elsewhere
 * only when asked for.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  // Allows, by its hash, the inline script in index.html that opens the database; without the hash only that is
  // blocked.
  "script-src 'self' 'sha256-lGV1ng6b50D368DUCvsUSr61hlhh9YezAPgt9gA+V44='",
  "style-src 'self'",
  "img-src 'self' data: blob: http: https:",
  "media-src 'self' blob: http: https:",
  "connect-src 'self' http: https: ws: wss:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types svelte-trusted-html dompurify earshot-script-url",
].join("; ");

/** Anybody can upload files, so a file that is opened as a page may do nothing at all. */
export const ATTACHMENT_POLICY = "default-src 'none'; sandbox";
