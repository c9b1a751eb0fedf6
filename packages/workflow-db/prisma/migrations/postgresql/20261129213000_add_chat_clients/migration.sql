-- CreateTable
CREATE TABLE "ChatClient" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "redirectAddresses" JSONB NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ChatClient_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ClientConnection" (
    "id" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "tokenVersion" INTEGER NOT NULL,
    "access" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "redirectAddress" TEXT NOT NULL,
    "codeChallenge" TEXT NOT NULL,
    "codeDigest" TEXT NOT NULL,
    "codeUsedAt" TIMESTAMP(3),
    "accessDigest" TEXT,
    "accessExpiresAt" TIMESTAMP(3),
    "refreshDigest" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ClientConnection_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "chat_client_last_used_at_idx" ON "ChatClient"("lastUsedAt");

-- CreateIndex
CREATE INDEX "client_connection_user_idx" ON "ClientConnection"("userId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "client_connection_client_id_idx" ON "ClientConnection"("clientId");

-- CreateIndex
CREATE INDEX "client_connection_expires_at_idx" ON "ClientConnection"("expiresAt");

-- AddForeignKey
ALTER TABLE "ClientConnection" ADD CONSTRAINT "ClientConnection_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClientConnection" ADD CONSTRAINT "ClientConnection_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "ChatClient"("id") ON DELETE CASCADE ON UPDATE CASCADE;
