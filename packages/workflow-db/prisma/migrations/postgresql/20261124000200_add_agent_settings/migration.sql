-- CreateTable
CREATE TABLE "AgentModel" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "baseUrl" TEXT,
    "keyId" TEXT,
    "keyText" TEXT,
    "facts" JSONB NOT NULL,
    "description" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AgentModel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AgentSoul" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AgentSoul_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AgentMemory" (
    "dagName" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AgentMemory_pkey" PRIMARY KEY ("dagName")
);

-- CreateTable
CREATE TABLE "AgentConfig" (
    "name" TEXT NOT NULL,
    "isEnabled" BOOLEAN NOT NULL,
    "defaultModelId" TEXT,
    "selectedSoulId" TEXT,
    "toolPolicy" JSONB NOT NULL,
    "webSearch" JSONB NOT NULL,
    "limits" JSONB NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AgentConfig_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "AgentLogin" (
    "providerId" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "canRefresh" BOOLEAN NOT NULL,
    "accountId" TEXT,
    "connectedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AgentLogin_pkey" PRIMARY KEY ("providerId")
);

-- CreateIndex
CREATE UNIQUE INDEX "agent_model_name_key" ON "AgentModel"("name");

-- CreateIndex
CREATE UNIQUE INDEX "agent_soul_name_key" ON "AgentSoul"("name");
