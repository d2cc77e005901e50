// The words of alerts come with their code.
export { alerts as alertWords } from "./en/alerts";
