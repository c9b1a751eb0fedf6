-- CreateTable
CREATE TABLE "RemoteNode" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "apiBaseUrl" TEXT NOT NULL,
    "authType" TEXT NOT NULL,
    "keyId" TEXT,
    "text" TEXT,
    "skipTlsVerify" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "createdBy" TEXT NOT NULL,

    CONSTRAINT "RemoteNode_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "remote_node_name_key" ON "RemoteNode"("name");
