import type { Translation } from "../catalogue";
import { count } from "../format";

const missed = (n: number) =>
  count(n, {
    one: (shown) => `Mancava ${shown} messaggio`,
    other: (shown) => `Mancavano ${shown} messaggi`,
  });

/** The check for messages that the server has and this device doesn't. */
export const missing: Translation["missing"] = {
  looking: "Richiesta al server di tutto ciò che ha…",
  none: "Non ne manca nessuno",
  found: missed,
  forgot: "Il server ha perso messaggi che conservava, perciò alcuni potrebbero mancare per sempre.",
  foundAndForgot: (n) => `${missed(n)}, e il server ne ha persi altri.`,
  show: "Mostra",
  heading: missed,
  text: "Ora sono nei loro argomenti, in ordine. I più recenti:",
};
