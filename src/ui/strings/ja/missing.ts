import type { Translation } from "../catalogue";
import { count } from "../format";

/** The check for messages that the server has and this device doesn't. */
export const missing: Translation["missing"] = {
  looking: "サーバーにあるすべてを問い合わせています…",
  none: "欠けたものはありません",
  found: (n) => `${count(n)} 件のメッセージが欠けていました`,
  forgot: "サーバーが保持していたメッセージを失いました。戻らないものがあるかもしれません。",
  foundAndForgot: (n) => `${count(n)} 件のメッセージが欠けており、ほかにもサーバーが失ったものがあります。`,
  show: "表示",
  heading: (n) => `${count(n)} 件のメッセージが欠けていました`,
  text: "現在は各トピックに順番どおり入っています。最新のもの:",
};
