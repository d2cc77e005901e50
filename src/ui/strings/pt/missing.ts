import type { Translation } from "../catalogue";
import { count } from "../format";

const missed = (n: number) =>
  count(n, {
    one: (shown) => `Faltava ${shown} mensagem`,
    other: (shown) => `Faltavam ${shown} mensagens`,
  });

/** The check for messages that the server has and this device doesn't. */
export const missing: Translation["missing"] = {
  looking: "Pedindo ao servidor tudo o que ele tem…",
  none: "Não falta nenhuma",
  found: missed,
  forgot: "O servidor perdeu mensagens que guardava; algumas podem faltar para sempre.",
  foundAndForgot: (n) => `${missed(n)}, e o servidor perdeu outras.`,
  show: "Mostrar",
  heading: missed,
  text: "Agora estão em seus tópicos, em ordem. As mais recentes:",
};
