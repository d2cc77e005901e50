import type { Translation } from "../catalogue";
import { duration, list } from "../format";

export const push: Translation["push"] = {
  heading: "Com o aplicativo fechado",
  receive: "Receber com o aplicativo fechado",
  hint: "O servidor entrega as mensagens, criptografadas, ao serviço de push do navegador, que acorda o Earshot por um instante.",
  asking: "Registrando…",
  key: "Chave pública",
  keyHint: "Na configuração do servidor ela se chama web-push-public-key e tem 87 caracteres.",
  notKey: "Isto não é uma chave de push: uma chave tem 87 caracteres e começa com B.",
  useKey: "Usar esta chave",
  mustShow:
    "Neste sistema cada push mostra uma notificação; por isso o servidor não envia pushes de tópicos silenciados; as mensagens deles aparecem quando você abre o Earshot.",
  refused: (topics) => `Sem pushes, porque você não tem permissão para ler: ${list(topics)}.`,
  since: "Registrado",
  pushed: "Último push",
  checked: "Última verificação após um push",
  never: "Ainda não",
  test: "Testar push",
  testHint: (topic) => `O teste envia uma mensagem para ${topic} e espera o push.`,
  testMessage: "Teste de push",
  testing: "Esperando o push…",
  arrived: (ms) => `O push chegou após ${duration(Math.max(ms, 1_000))}.`,
  lost: (ms) => `Nenhum push chegou em ${duration(ms)}, e não foi possível registrar este dispositivo de novo.`,
  renewed: (ms) =>
    `Nenhum push chegou em ${duration(ms)}; por isso este dispositivo foi registrado de novo. Repita o teste: se esse push também se perder, o serviço de push está lento ou inacessível.`,
  resumes: "O recebimento estava ativado aqui. Ele continua sozinho assim que você permitir as notificações.",
  support: {
    plain: "Indisponível por http simples: os navegadores só aceitam pushes para páginas carregadas por https.",
    install:
      "Disponível quando o Earshot estiver na tela de início: toque em Compartilhar e depois em Adicionar à Tela de Início.",
    unsupported: "Este navegador não aceita pushes para páginas web.",
    blocked:
      "As notificações estão bloqueadas para este site, e com elas os pushes. Permita-as nas configurações do navegador.",
  },
  faults: {
    denied: "O navegador não permitiu notificações e, sem elas, não aceita pushes.",
    unreachable: "O serviço de push do navegador não está acessível. Tente mais tarde.",
    untold:
      "Este servidor não informou sua chave de push. Se ele envia pushes, quem o administra conhece a chave: informe-a abaixo.",
    off: "Este servidor não envia pushes.",
    "no-key": "O que este servidor informa como chave de push não é uma chave.",
    strange: "Este servidor não diz se envia pushes.",
    "service-refused": "Este servidor não envia para o serviço de push do seu navegador.",
    "too-many-devices":
      "O servidor não aceitou este dispositivo. Ele aceita dez em um endereço; desative os pushes em um que você não usa mais.",
    forbidden: "O servidor não permite que você leia nenhum destes tópicos.",
  },

  worker: {
    binary: "Dados binários",
    unseen: "Nenhum texto visível",
    many: "{count} mensagens novas",
    heldBack: "Mensagens que chegaram sem alerta: {count}",
    changed: "Mensagens alteradas",
  },
};
