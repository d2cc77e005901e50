/** How to say who one is (protocol, section 9). */
export type Credentials = { kind: "basic"; user: string; password: string } | { kind: "token"; token: string };
