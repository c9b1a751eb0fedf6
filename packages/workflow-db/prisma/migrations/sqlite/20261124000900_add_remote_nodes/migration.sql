-- CreateTable
CREATE TABLE "RemoteNode" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "apiBaseUrl" TEXT NOT NULL,
    "authType" TEXT NOT NULL,
    "keyId" TEXT,
    "text" TEXT,
    "skipTlsVerify" BOOLEAN NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "createdBy" TEXT NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "remote_node_name_key" ON "RemoteNode"("name");
