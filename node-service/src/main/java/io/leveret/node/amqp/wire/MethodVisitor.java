package io.leveret.node.amqp.wire;

/**
 * Every method that a client may send on a channel. A new one cannot be forgotten: it does not compile. Answers of clients that
 * nothing waits for are ignored.
 */
public interface MethodVisitor {
    void onChannelOpen(ChannelMethod.Open method);

    void onChannelFlow(ChannelMethod.Flow method);

    /** Never asked for. */
    default void onChannelFlowOk(ChannelMethod.FlowOk method) {}

    void onChannelClose(ChannelMethod.Close method);

    /** On an open channel: the answer to a close of a channel that had this number before. */
    default void onChannelCloseOk(ChannelMethod.CloseOk method) {}

    void onExchangeDeclare(ExchangeMethod.Declare method);

    void onExchangeDelete(ExchangeMethod.Delete method);

    void onExchangeBind(ExchangeMethod.Bind method);

    void onExchangeUnbind(ExchangeMethod.Unbind method);

    void onQueueDeclare(QueueMethod.Declare method);

    void onQueueBind(QueueMethod.Bind method);

    void onQueueUnbind(QueueMethod.Unbind method);

    void onQueuePurge(QueueMethod.Purge method);

    void onQueueDelete(QueueMethod.Delete method);

    void onBasicQos(BasicMethod.Qos method);

    void onBasicConsume(BasicMethod.Consume method);

    void onBasicCancel(BasicMethod.Cancel method);

    /** The answer of a client to the server's cancel: nothing waits for it. */
    default void onBasicCancelOk(BasicMethod.CancelOk method) {}

    /** The content follows in further frames. */
    void onBasicPublish(BasicMethod.Publish method);

    void onBasicGet(BasicMethod.Get method);

    void onBasicAck(BasicMethod.Ack method);

    void onBasicReject(BasicMethod.Reject method);

    void onBasicNack(BasicMethod.Nack method);

    void onBasicRecover(BasicMethod.Recover method);

    void onBasicRecoverAsync(BasicMethod.RecoverAsync method);

    void onConfirmSelect(ConfirmMethod.Select method);

    void onTxSelect(TxMethod.Select method);

    void onTxCommit(TxMethod.Commit method);

    void onTxRollback(TxMethod.Rollback method);

    /** A method of class connection, or one that only servers send. */
    void onUnexpected(Method method);
}
