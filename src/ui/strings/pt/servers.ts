import type { StringCatalogue } from "../catalogue";
import { count, duration } from "../format";

/** Moving a server, and trying what is wrong with one. */
export const servers: StringCatalogue["servers"] = {
  address: "Endereço",
  settings: "Configurações do servidor",
  signIn: {
    hint: "A senha é trocada por um token onde o servidor fornece um, e então não é armazenada. Enviada só a este servidor, em um link só se você escolher.",
    out: "Sair",
    byPassword: "A senha está armazenada neste dispositivo.",
    byToken: "Um token é armazenado no lugar da senha.",
    until: (said) => `Um token é armazenado no lugar da senha, válido até ${said}.`,
    done: (server) => `Você saiu de ${server}`,
    left: (server) =>
      `Você saiu de ${server}. Não foi possível avisá-lo; por isso o token continua válido lá até expirar.`,
    ends: (server, said) => `O login em ${server} termina: ${said}.`,
    ended: (server) => `O login em ${server} terminou.`,
  },
  headers: {
    label: "Cabeçalhos adicionais",
    hint: "Para um proxy na frente do servidor que os exija, um por linha, como X-Key: abc. Eles vão só para este servidor; as mensagens chegam então como linhas JSON por HTTP.",
    transport:
      "As mensagens chegam como linhas JSON, pois um navegador só envia cabeçalhos adicionais com requisições simples.",
    fault: (line) =>
      line === 0 ? "Há cabeçalhos demais." : `A linha ${line} não é um cabeçalho que uma página possa enviar.`,
  },
  account: {
    button: "Tópicos da conta…",
    heading: (server) => `Tópicos da conta em ${server}`,
    asking: "Perguntando ao servidor…",
    none: "Todos os tópicos da conta já estão aqui.",
    offered: "Sem inscrição aqui",
    reserved: "reservado para você",
    keep: "Sincronizar com a conta",
    keepHint:
      "O que é adicionado de um lado é adicionado do outro, e o que é removido aqui é removido da conta. O que é removido da conta em outro lugar fica aqui com suas mensagens até você sair dele.",
    leftThere: (topics) => `Removidos da conta em outro lugar: ${topics}.`,
    leave: "Sair deles aqui também",
    left: (n) => `${count(n, { one: "tópico removido", other: "tópicos removidos" })}`,
  },
  move: {
    button: "Mudar…",
    heading: (server) => `Mudar ${server}`,
    hint: "Para um servidor que agora está em outro endereço. Tópicos, mensagens e marcas ficam como estão; links com o endereço antigo levam ao novo.",
    field: "Novo endereço",
    keep: (who) => `Entrar lá também (${who})`,
    keepHint: "A senha ou o token é enviado ao novo endereço. Sem isto, você entra de novo lá.",
    plain:
      "O novo endereço é http simples; por isso a senha seria enviada sem criptografia. Clique de novo em Mudar para enviá-la.",
    taken: "Este endereço já é de um dos seus servidores. Saia antes dos tópicos dele se este servidor tomar o lugar.",
    same: "Este é o endereço atual dele.",
    anyway: "Mudar mesmo assim",
    save: "Mudar",
    done: (address) => `Mudado para ${address}`,
    lacksPushes: "Mudado. Não foi possível ativar os pushes no novo endereço.",
  },
  test: {
    button: "Testar",
    heading: (server) => `Teste de ${server}`,
    asking: "Perguntando ao endereço…",
    trying: "Testando login, fluxo e relógio…",
    repeat: "Testar de novo",
    tab: "Abrir em uma aba",
    tabHint: "Em uma aba, o navegador mostra sua própria mensagem de erro, que uma página não pode ver.",
    grades: { good: "Correto", doubtful: "Verificar", bad: "Problema" },
    reached: "Um servidor de tópicos responde neste endereço.",
    mixed:
      "Esta página veio por https; por isso o navegador não a deixa acessar endereços http, ou só alguns da rede local.",
    mixedHint: "Dê https ao servidor, ou abra o próprio Earshot por http.",
    "local-by-http":
      "Esta página veio por http de fora da rede local; por isso o navegador não a deixa acessar nada nela.",
    "local-by-httpHint": "Abra o Earshot por https, ou de um servidor da rede local.",
    "local-denied": "O navegador foi instruído a não deixar esta página acessar a rede local.",
    "local-deniedHint": "Permita nas configurações do navegador para este site, em acesso à rede local.",
    "local-not-asked": "O navegador ainda pode perguntar se esta página pode acessar a rede local.",
    "local-not-askedHint": "Teste de novo e permita quando o navegador perguntar.",
    offline: "Este dispositivo está sem rede.",
    offlineHint: "As mensagens chegam quando ela voltar.",
    "no-answer": "Nenhuma resposta, e o navegador não diz mais que isso a uma página.",
    "no-answerHint":
      "O servidor pode estar fora do ar, o nome ou a porta errados, o certificado não confiável, ou uma extensão pode bloqueá-lo. Na rede local, o navegador também pode não ter a permissão do sistema.",
    slow: "Nenhuma resposta em 15 segundos, e nenhum erro também.",
    slowHint: "Um firewall pode descartar as solicitações, a porta pode estar errada ou o servidor sobrecarregado.",
    unreadable: "Algo responde, mas não deixa esta página ler a resposta.",
    unreadableHint:
      "Servidores de tópicos permitem isso a qualquer página. Então um proxy na frente tira o cabeçalho CORS ou pede um login próprio.",
    "something-else": "Algo responde, mas não é um servidor de tópicos.",
    "something-elseHint":
      "O caminho pode estar errado, um proxy pode pedir um login próprio, ou esta rede pode exigir login antes.",
    worker: (said) => `Esta página alcança o servidor, mas a parte que recebe mensagens não: ${said}`,
    workerHint: "Recarregue a página. Se não ajudar, o servidor pode estar limitando solicitações daqui.",
    open: "Os tópicos podem ser lidos sem login.",
    signedIn: (who) => `Conectado como ${who}: os tópicos podem ser lidos.`,
    notSignedIn: "Sem login",
    refused: (who, said) => `${who}: ${said}`,
    stream: "Um fluxo se abre: as mensagens chegam na hora.",
    noStream: "Nenhum fluxo se abre em 5 segundos; por isso as mensagens são buscadas a cada poucos segundos.",
    noStreamHint: "Um proxy na frente do servidor provavelmente retém as respostas até o fim.",
    keeps: (seconds) => `O servidor guarda as mensagens por ${duration(seconds * 1000)}.`,
    keepsNothing: "O servidor não guarda mensagens: o que é enviado enquanto você está fora se perde.",
    keepsNothingHint: "Quem administra o servidor pode ativar o cache.",
    keepsUnknown: "O servidor não diz por quanto tempo guarda as mensagens.",
    clock: "Os relógios do servidor e do dispositivo coincidem.",
    ahead: (ms) => `O relógio do servidor está ${duration(ms)} adiantado em relação a este dispositivo.`,
    behind: (ms) => `O relógio do servidor está ${duration(ms)} atrasado em relação a este dispositivo.`,
    clockHint: "Nada se perde com isso, mas os horários parecem errados. Acerte o que estiver errado.",
  },
};
