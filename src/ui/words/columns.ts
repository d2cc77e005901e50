// The words of these screens come with their code.
export { columns as columnWords, wall as wallWords } from "./en/columns";
