/** Begins what follows from a command that was carried out. */
export async function followedBy<Output extends { ok: boolean }>(
  command: Promise<Output>,
  follow: () => void,
): Promise<Output> {
  const done = await command;
  if (done.ok) follow();
  return done;
}
