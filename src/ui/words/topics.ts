// The words of these screens come with their code.
export { topics as topicWords } from "./en/topics";
